// Until the page is loaded anew.
let wanted = true;

/** Whether a letter or sign alone is a key: they may be turned off, as speech input types them by accident. */
export function letterKeysWanted(): boolean {
  return wanted;
}

/** Turns keys of one letter or sign on or off, on every page. */
export function setLetterKeysWanted(are: boolean): void {
  wanted = are;
}

/** Whether a key writes a letter or a sign. Space is none: it presses what has the focus. */
export function isLetterKey(key: string): boolean {
  return key.length === 1 && key !== " ";
}
