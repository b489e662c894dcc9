// The reader's time zone, told to the server by a cookie: days are counted where the reader lives.
const YEAR_S = 365 * 24 * 3600;

export function tellZone(): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = document.cookie.split("; ").includes(`zone=${zone}`);
  if (!zone || known) return;
  document.cookie = `zone=${zone}; path=/; max-age=${YEAR_S}; samesite=strict`;
  const shown = document.querySelector<HTMLElement>("[data-zone]")?.dataset["zone"];
  // once: the cookie is there now; where cookies are refused the page stays as it is
  if (shown && shown !== zone && document.cookie.split("; ").includes(`zone=${zone}`)) location.reload();
}
