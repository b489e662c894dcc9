// The explorers keep their state in the address: it can be shared, and Back goes to the state before.

/** A whole number of the address, within its bounds. */
export function whole(query: URLSearchParams, name: string, usual: number, low: number, high: number): number {
  return bounded(query.has(name) ? query.get(name) : null, usual, low, high);
}

export function bounded(text: string | null, usual: number, low: number, high: number): number {
  const value = text === null || text.trim() === "" ? NaN : Math.round(Number(text));
  return Number.isFinite(value) ? Math.min(Math.max(value, low), high) : usual;
}

/** The same with a fraction. */
export function decimal(query: URLSearchParams, name: string, usual: number, low: number, high: number): number {
  const value = query.get(name)?.trim() ? Number(query.get(name)) : NaN;
  return Number.isFinite(value) ? Math.min(Math.max(value, low), high) : usual;
}

const PAUSE_MS = 600;
let last = 0;

/** Puts the state in the address. Changes in quick succession (a drag, a number being typed) are one step of Back. */
export function remember(state: URLSearchParams): void {
  const search = `?${state}`;
  if (search === location.search) return;
  const quick = Date.now() - last < PAUSE_MS;
  last = Date.now();
  if (quick) history.replaceState(null, "", search);
  else history.pushState(null, "", search);
}

export const current = (): URLSearchParams => new URLSearchParams(location.search);
