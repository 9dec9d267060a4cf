// Gives the wildcards of redirect URLs the meaning they have in GoTrue, where `*` stops at dots and slashes.

const specialCharacters = /[\\^$.|?*+()[\]{}]/g;

/** Any character except the separators `.` and `/`. */
const withinSegment = "[^./]";

function escape(text: string): string {
  return text.replace(specialCharacters, "\\$&");
}

function characterClass(body: string): string {
  const negated = body.startsWith("!");
  const inner = (negated ? body.slice(1) : body).replace(/[\\\]^[]/g, "\\$&");
  return `[${negated ? "^" : ""}${inner}]`;
}

/**
 * Converts a pattern of `additional_redirect_urls` to a regular expression that matches a whole URL.
 * `*` matches any text without `.` and `/`, `**` any text, `?` one character except `.` and `/`, `{a,b}` either
 * alternative, `[a-z]` and `[!a-z]` one character; a backslash escapes the next character.
 */
export function globToRegExp(glob: string): RegExp {
  let source = "";
  let depth = 0;
  for (let index = 0; index < glob.length; index += 1) {
    const character = glob[index] ?? "";
    if (character === "\\" && index + 1 < glob.length) {
      index += 1;
      source += escape(glob[index] ?? "");
    } else if (character === "*") {
      const any = glob[index + 1] === "*";
      if (any) index += 1;
      source += any ? ".*" : `${withinSegment}*`;
    } else if (character === "?") {
      source += withinSegment;
    } else if (character === "[" && glob.indexOf("]", index + 2) !== -1) {
      const end = glob.indexOf("]", index + 2);
      source += characterClass(glob.slice(index + 1, end));
      index = end;
    } else if (character === "{" && glob.indexOf("}", index) !== -1) {
      depth += 1;
      source += "(?:";
    } else if (character === "}" && depth > 0) {
      depth -= 1;
      source += ")";
    } else if (character === "," && depth > 0) {
      source += "|";
    } else {
      source += escape(character);
    }
  }
  return new RegExp(`^${source}${")".repeat(depth)}$`, "s");
}
