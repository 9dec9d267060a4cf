/** The characters of `newsreader-headline.woff2`. */
export const headlineCharacters =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,?’+£&-:!";

/** The characters of `inter-text.woff2`. */
export const textCharacters =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,;:?!'’‘“”–-+/()@&%£×";
