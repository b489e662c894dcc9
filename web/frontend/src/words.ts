// The sentences of the page. The table is the server's own, `web/words.json`; the language is that of the document.
import table from "../../words.json";

export type Key = keyof typeof table;

export const isChinese = (): boolean => document.documentElement.lang.startsWith("zh");
export const language = (): "en" | "zh" => (isChinese() ? "zh" : "en");

/** The sentence for `key`, its {fields} filled in. */
export function t(key: Key, fields: Record<string, string | number> = {}): string {
  const text = table[key][isChinese() ? 1 : 0] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in fields ? String(fields[name]) : whole));
}

const pad = (n: number): string => String(n).padStart(2, "0");

/** "14:02:10" for today, with the date before it otherwise. Unix seconds. */
export function clock(seconds: number, withSeconds = true): string {
  const at = new Date(seconds * 1000);
  const time = `${pad(at.getHours())}:${pad(at.getMinutes())}` + (withSeconds ? `:${pad(at.getSeconds())}` : "");
  const today = at.toDateString() === new Date().toDateString();
  return today ? time : `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${time}`;
}
