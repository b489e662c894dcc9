// Choices that the server must know for the first paint: language, theme, dividers.
const YEAR_S = 365 * 24 * 3600;

export function keepCookie(name: string, value: string): void {
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR_S}; samesite=strict`;
}
