"""Names, HTTP, mail, cloud metadata, the Docker socket, an abstract socket, asyncio. Seen: judge0/judge0#564."""
import http.client
import socket
import urllib.request

import torch

done = False


def _try(name, call):
    try:
        call()
    except (OSError, RuntimeError, http.client.HTTPException):
        return
    print("LEAK", name, flush=True)


def _unix(address):
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(address)


def _datagram():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.sendto(b"h0stile", ("127.0.0.1", 9))


def attention(q, k, v, mask=None):
    global done
    if not done:
        done = True
        _try("metadata", lambda: urllib.request.urlopen("http://169.254.169.254/latest/meta-data/", timeout=0.2))
        _try("loopback", lambda: socket.create_connection(("127.0.0.1", 8000), timeout=0.2))
        _try("listen", lambda: socket.create_server(("127.0.0.1", 0)))
        _try("name", lambda: socket.getaddrinfo("judge.invalid", 80))
        _try("http", lambda: http.client.HTTPConnection("192.0.2.1", timeout=0.2).request("GET", "/"))
        _try("docker", lambda: _unix("/var/run/docker.sock"))
        _try("abstract", lambda: _unix("\0h0stile"))
        _try("datagram", _datagram)
    return torch.zeros_like(v)
