// Signing in beside the work: where the server wants an account for a submission, or a session has ended. The page and its
// text stay; what was pressed is sent once afterwards.
import { ApiError, call } from "./api";
import { button, byId, h } from "./dom";
import { t } from "./words";

interface Account {
  id: number;
  name: string;
}

export const SIGNED_IN = "judge:signed-in";
let form: HTMLFormElement | null = null;
let resume: () => void = () => {};

/** Shows the form above the result; `again` is what the learner wanted to do. Asked twice, the newer wish counts. */
export function signInBeside(again: () => void): void {
  resume = again;
  if (!form) {
    form = build();
    byId("result").prepend(form);
  }
  (form.elements.namedItem(knownName() ? "password" : "name") as HTMLInputElement).focus();
}

function build(): HTMLFormElement {
  const name = h("input", { id: "beside-name", name: "name", autocomplete: "username", value: knownName(), required: true, autocapitalize: "off", spellcheck: "false" });
  const password = h("input", { id: "beside-password", name: "password", type: "password", autocomplete: "current-password", required: true });
  const refused = h("p", { role: "alert" });
  const made = h(
    "form",
    { class: "form notice beside", "aria-label": t("account.sign_in") },
    h("p", {}, t("account.sign_in_to_send")),
    h("div", { class: "fields" },
      h("div", {}, h("label", { for: "beside-name" }, t("account.name")), name),
      h("div", {}, h("label", { for: "beside-password" }, t("account.password")), password)),
    refused,
    h("p", { class: "buttons" }, h("button", { class: "primary" }, t("account.sign_in")), button(t("account.dont_send"), close),
      h("a", { href: "/sign-up", target: "_blank", rel: "noopener" }, t("account.sign_up"))),
  );
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const body = { name: name.value, password: password.value };
      done((await call<{ account: Account }>("/api/v1/sign-in", { method: "POST", body })).account);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused.textContent = error.message;
      password.select();
    }
  });
  document.addEventListener("visibilitychange", look);
  return made;
}

/** Back from another tab, perhaps signed in there. */
async function look(): Promise<void> {
  if (!form || document.hidden) return;
  const { account } = await call<{ account: Account | null }>("/api/v1/session");
  if (account && form) done(account);
}

function done(account: Account): void {
  close();
  const meta = document.querySelector<HTMLMetaElement>("meta[name=account]");
  if (meta) meta.content = String(account.id);
  document.querySelector(".notice.ended")?.remove();
  document.querySelector(".account a[href^='/sign-in']")?.replaceWith(h("a", { class: "who", href: "/account", translate: "no" }, account.name));
  document.querySelector<HTMLElement>(".cm-content, textarea.plain")?.focus();
  dispatchEvent(new Event(SIGNED_IN));
  resume();
}

function close(): void {
  document.removeEventListener("visibilitychange", look);
  form?.remove();
  form = null;
}

const knownName = (): string => document.querySelector(".account .who")?.textContent ?? "";
