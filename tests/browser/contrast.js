// Visible texts whose contrast with their ground is below 4.5 : 1.
() => {
  const parse = (colour) => colour.match(/[\d.]+/g).map(Number);
  const part = (v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const light = (colour) => {
    const [r, g, b] = parse(colour).map(part);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      const parts = parse(colour);
      if (parts.length < 4 || parts[3] === 1) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const bad = [];
  for (const element of document.querySelectorAll("main *, header *")) {
    const own = [...element.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent.trim());
    if (!own || !element.checkVisibility()) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(ground(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) bad.push(`${element.className} ${element.textContent.trim().slice(0, 30)} ${ratio.toFixed(2)}`);
  }
  return bad;
}
