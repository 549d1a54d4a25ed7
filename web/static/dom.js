// SPDX-License-Identifier: Apache-2.0
// What all rooms need to make elements. Texts become text nodes: nothing of a file is ever read as HTML.

/**
 * el makes an element: el('p', {class: 'x', onclick: f}, 'text', child).
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string|number)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function el(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
    else e.setAttribute(key, value === true ? '' : String(value));
  }
  e.append(...children.map(String_));
  return e;
}

function String_(child) { return child instanceof Node ? child : String(child); }

const svgNames = 'http://www.w3.org/2000/svg';

/** svg makes an element of SVG. */
export function svg(name, attributes = {}, ...children) {
  const e = document.createElementNS(svgNames, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, String(value));
  e.append(...children.map(String_));
  return e;
}

/**
 * byId returns an element that the page has.
 * @template {string} Id
 * @param {Id} id
 * @returns {Id extends keyof PageElements ? PageElements[Id] : HTMLElement}
 */
export function byId(id) {
  const e = document.getElementById(id);
  if (!e) throw new Error(`no element ${id}`);
  return /** @type {any} */ (e);
}

/** say tells something to everybody, those who listen included. */
export function say(text, wrong = false) {
  const status = byId('status');
  status.textContent = text;
  status.classList.toggle('wrong', wrong);
}

/** busy shows how far a call is, with a button that gives it up. It returns what ends it. */
export function busy(text, call) {
  const box = byId('busy');
  const bar = byId('busy-bar');
  byId('busy-text').textContent = text;
  bar.removeAttribute('value');
  byId('busy-cancel').onclick = () => call?.cancel();
  box.hidden = false;
  return {
    set(done) { bar.value = Math.min(1, Math.max(0, done)); },
    of(c) { byId('busy-cancel').onclick = () => c.cancel(); },
    end() { box.hidden = true; },
  };
}

/** copy puts text on the clipboard. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
  } catch {
    say(`The browser does not let the page copy. ${what}: ${text}`);
  }
}
