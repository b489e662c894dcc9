// Pages and plain texts of the server, for parts of the page that are fetched when they are wanted.
import { ApiError } from "./api";
import { language, t } from "./words";

async function get(path: string, accept: string, lang: string): Promise<string> {
  const url = new URL(path, location.origin);
  url.searchParams.set("lang", lang);
  const answer = await fetch(url, { headers: { Accept: accept } }).catch(() => {
    throw new ApiError(0, "network", t("error.network"));
  });
  if (!answer.ok) throw new ApiError(answer.status, "unknown", t("error.500"));
  return answer.text();
}

export const fetchText = (path: string): Promise<string> => get(path, "text/plain", language());

/** A page of ours as a document of its own: nothing in it runs. */
export const fetchPage = async (path: string, lang = language()): Promise<Document> =>
  new DOMParser().parseFromString(await get(path, "text/html", lang), "text/html");
