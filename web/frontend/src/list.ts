// The list's filters, live: with every change the server is asked for the list, and the address follows. Without script
// the same form has a button.
const PAUSE_MS = 120;

let timer = 0;
let latest = 0;

async function refresh(form: HTMLFormElement): Promise<void> {
  const mine = ++latest;
  const url = new URL(location.href);
  url.search = "";
  for (const [name, value] of new FormData(form)) if (String(value)) url.searchParams.append(name, String(value));
  history.replaceState(history.state, "", url);
  const response = await fetch(url, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (mine !== latest) return; // a later change is on its way
  for (const part of document.querySelectorAll<HTMLElement>("[data-live]")) {
    const fresh = page.querySelector(`[data-live="${part.dataset["live"]}"]`);
    if (fresh) part.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
  }
}

export function enableFilters(): void {
  if (!document.getElementById("filters")) return;
  document.body.dataset["live"] = "filters";
  document.addEventListener("input", (event) => {
    const form = (event.target as Element).closest<HTMLFormElement>("#filters");
    if (!form) return;
    clearTimeout(timer);
    // without an answer the form itself is sent, and the browser tells what is wrong
    timer = window.setTimeout(() => refresh(form).catch(() => form.submit()), PAUSE_MS);
  });
  document.addEventListener("submit", (event) => {
    const form = (event.target as Element).closest<HTMLFormElement>("#filters");
    if (!form) return;
    event.preventDefault();
    clearTimeout(timer);
    refresh(form).catch(() => form.submit());
  });
}

/** Pointing at a problem of the learning path brings out its lines. */
export function enablePath(): void {
  const mark = (event: Event): void => {
    const slug = (event.target as Element).closest<HTMLElement>(".card")?.dataset["slug"];
    for (const line of document.querySelectorAll<SVGPathElement>(".lines path")) {
      line.classList.toggle("near", slug !== undefined && (line.dataset["start"] === slug || line.dataset["end"] === slug));
    }
  };
  if (document.querySelector(".path")) for (const kind of ["focusin", "focusout", "mouseover"]) document.addEventListener(kind, mark);
}
