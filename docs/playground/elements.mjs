// Elements of the page. Text is set as text everywhere: what was pasted is never read as HTML.

export const find = (id) => document.getElementById(id);

/** An element with a class and children; strings among them become text. */
export function made(tag, name = "", ...children) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...children);
  return element;
}

/** A button for each sample; `choose` gets the sample's id. */
export function sampleButtons(place, samples, choose) {
  for (const { id, title } of samples) {
    const button = made("button", "chip", title);
    button.type = "button";
    button.dataset.sample = id;
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => choose(id));
    place.append(button);
  }
}

/** Marks the sample that is shown; `undefined` marks none. */
export function markSample(place, id) {
  for (const button of place.children) {
    button.setAttribute("aria-pressed", String(button.dataset.sample === id));
  }
}

/** Numbers with their thousands apart. */
export const COUNT = new Intl.NumberFormat("en");

/** "1 byte", "2,054 bytes". */
export const counted = (count, noun) => `${COUNT.format(count)} ${noun}${count === 1 ? "" : "s"}`;
