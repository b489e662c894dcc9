// The switch between English and Chinese, in place: the page is fetched in the other language and its marked parts are
// exchanged; editor, selection, scroll and result stay.
import { keepCookie } from "./cookies";
import { byId } from "./dom";
import { fetchPage } from "./fetching";

export function enableLanguageSwitch(switched: (page: Document) => void): void {
  const control = byId("language") as HTMLButtonElement;
  control.addEventListener("click", async (event) => {
    event.preventDefault();
    const lang = control.value as "en" | "zh";
    keepCookie("lang", lang);
    try {
      const page = await fetchPage(location.pathname + location.search, lang);
      if (!page.getElementById("language")) throw new Error("no page of ours");
      exchange(page);
      switched(page);
    } catch {
      location.reload(); // the cookie is set: the whole page comes in the other language
    }
  });
}

function exchange(page: Document): void {
  document.documentElement.lang = page.documentElement.lang;
  document.title = page.title;
  for (const part of document.querySelectorAll<HTMLElement>("[data-swap]")) {
    const fresh = page.querySelector(`[data-swap="${part.dataset["swap"]}"]`);
    if (fresh) part.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
  }
  for (const part of document.querySelectorAll<HTMLElement>("[id]")) {
    for (const name of ["aria-label", "title", "placeholder"]) {
      const text = part.hasAttribute(name) && page.getElementById(part.id)?.getAttribute(name);
      if (text) part.setAttribute(name, text);
    }
  }
  const control = byId("language") as HTMLButtonElement;
  const fresh = page.getElementById("language") as HTMLButtonElement;
  control.value = fresh.value;
  control.lang = fresh.lang;
  control.textContent = fresh.textContent;
}
