// The questions of a quiz in place: an answer is sent, and only its own question takes over what the server made of it.
// Focus stays; where its element is gone it goes to the explanation. Without script the same forms lead back to the page.
import { ApiError } from "./api";
import { h } from "./dom";
import { language, t } from "./words";

async function send(form: HTMLFormElement, button: HTMLElement | null): Promise<Document> {
  const body = new FormData(form);
  if (button instanceof HTMLButtonElement && button.name) body.append(button.name, button.value);
  const fields = new URLSearchParams([...body].map(([name, value]): [string, string] => [name, String(value)]));
  const url = new URL(form.action);
  url.searchParams.set("lang", language());
  const answer = await fetch(url, { method: "POST", body: fields }).catch(() => {
    throw new ApiError(0, "network", t("error.network"));
  });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (answer.ok) return page;
  throw new ApiError(answer.status, "refused", page.querySelector("main p")?.textContent ?? t("error.500"));
}

function part(of: ParentNode, name: string): HTMLElement | null {
  return of.querySelector<HTMLElement>(`[data-part="${name}"]`);
}

function take(mine: ParentNode, theirs: ParentNode, name: string): void {
  const [old, fresh] = [part(mine, name), part(theirs, name)];
  if (old && fresh) old.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
}

async function answer(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
  const question = form.closest<HTMLElement>(".question")!;
  if (question.ariaBusy === "true") return;
  question.ariaBusy = "true";
  const told = part(question, "told")!;
  try {
    const page = await send(form, button);
    const fresh = page.getElementById(question.id);
    if (!fresh) return void location.reload(); // the session is over, or the question is gone
    const settled = part(fresh, "actions")!.childElementCount === 0;
    told.replaceChildren(); // so that the same sentence is spoken again
    for (const name of ["title", "told", ...(settled ? ["answer", "actions", "explanation"] : [])]) take(question, fresh, name);
    question.className = fresh.className;
    take(document, page, "progress");
    if (settled) {
      const explanation = part(question, "explanation")!;
      explanation.tabIndex = -1;
      explanation.focus({ preventScroll: true });
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    told.replaceChildren(h("p", { class: "wrong" }, error.message));
  } finally {
    question.ariaBusy = null;
  }
}

export function enableQuiz(): void {
  if (!document.querySelector(".question")) return;
  document.addEventListener("submit", (event) => {
    const form = (event.target as Element).closest<HTMLFormElement>(".question form");
    if (!form) return;
    event.preventDefault();
    void answer(form, event.submitter);
  });
}
