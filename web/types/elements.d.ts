// Made from static/index.html by go generate ./web: the elements that are more than an HTMLElement, for tsc.
// SPDX-License-Identifier: Apache-2.0
interface PageElements {
  'bytes-box': HTMLDetailsElement;
  'bytes-file': HTMLInputElement;
  'bytes-format': HTMLSelectElement;
  'bytes-text': HTMLTextAreaElement;
  'copy-fen': HTMLButtonElement;
  'copy-link': HTMLButtonElement;
  'copy-pgn': HTMLButtonElement;
  'games-about': HTMLButtonElement;
  'games-clear': HTMLButtonElement;
  'games-file': HTMLInputElement;
  'games-filter': HTMLFormElement;
  'games-more': HTMLDetailsElement;
  'games-sample': HTMLButtonElement;
  'games-save': HTMLDetailsElement;
  'games-sort': HTMLSelectElement;
  'games-text': HTMLInputElement;
  'hw-bytes': HTMLTextAreaElement;
  'hw-find': HTMLInputElement;
  'hw-mode': HTMLSelectElement;
  'hw-pgn': HTMLInputElement;
  'hw-ready': HTMLInputElement;
  'keys': HTMLDialogElement;
  'keys-open': HTMLButtonElement;
  'keys-plain': HTMLInputElement;
  'move-fen': HTMLInputElement;
  'move-names': HTMLFormElement;
  'move-play': HTMLButtonElement;
  'move-reset': HTMLButtonElement;
  'openings-fen': HTMLInputElement;
  'openings-find': HTMLButtonElement;
  'openings-form': HTMLFormElement;
  'openings-setup': HTMLButtonElement;
  'promotion': HTMLDialogElement;
  'save-csv': HTMLAnchorElement;
  'save-p11': HTMLAnchorElement;
  'save-pgn': HTMLAnchorElement;
  'setup-add': HTMLInputElement;
  'setup-clear': HTMLButtonElement;
  'setup-passant': HTMLSelectElement;
  'setup-turn': HTMLSelectElement;
  'theme': HTMLButtonElement;
  'tour': HTMLDetailsElement;
}

// ElementOf is the element of a name that may have classes behind it: 'p.hint'.
type ElementOf<Name extends string> = Name extends `${infer Tag}.${string}` ? ElementOf<Tag> : Name extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Name] : HTMLElement;

// What a selector or a name in a form finds is known to the page alone.
interface HTMLFormControlsCollection {
  [name: string]: any;
}
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
