/**
 * `basehost/guessable-passwords`: passwords that are refused because others would guess them. It runs in browsers too,
 * so that a form can say before sending what `/auth/v1` would refuse.
 */

/** A password found in fewer guesses than this is too weak, even with rate limits. */
const minGuessesLog10 = 9;
/** Characters examined, so that a long password takes no more than about 10 ms. */
const maxCharacters = 32;
const maxLeetSubstitutions = 8;
const maxEmailLength = 255;
/** Shorter local parts of an address occur in good passwords by chance. */
const minLocalPartLength = 5;

/**
 * True when a password is common, leaked, a keyboard walk, a repetition, or derived from its owner's address.
 * @param email in any case; it may not be validated yet.
 * @param siteWords words from the site's name, which its members' passwords often contain.
 */
export type GuessableCheck = (
  password: string,
  email: string,
  siteWords: readonly string[],
) => boolean;

/** Estimates the guesses a password takes, as a power of ten; `ownWords` are words related to its owner. */
type Estimate = (password: string, ownWords: string[]) => number;

let loading: Promise<GuessableCheck> | undefined;

async function loadEstimate(): Promise<Estimate> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  const zxcvbn = new ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    l33tMaxSubstitutions: maxLeetSubstitutions,
    maxLength: maxCharacters,
  });
  return (password, ownWords) => zxcvbn.check(password, ownWords).guessesLog10;
}

function createCheck(estimate: Estimate): GuessableCheck {
  return (password, givenEmail, siteWords) => {
    const email = givenEmail.toLowerCase();
    const lower = password.toLowerCase();
    const [local = "", domain = ""] = email.length > maxEmailLength ? [] : email.split("@");
    if (email !== "" && lower.includes(email)) return true;
    if (local.length >= minLocalPartLength && lower.includes(local)) return true;
    const ownWords = [...local.split(/[._+-]/), ...domain.split("."), ...siteWords]
      .map((word) => word.toLowerCase())
      .filter((word) => word.length > 2);
    return estimate(password.slice(0, maxCharacters), ownWords) < minGuessesLog10;
  };
}

/**
 * Loads the list of common and leaked passwords, on the first call: 30 MB of memory, 240 KB to a browser.
 * @throws {Error} when a browser can't load it; the next call tries again.
 */
export async function loadGuessableCheck(): Promise<GuessableCheck> {
  loading ??= loadEstimate().then(createCheck);
  try {
    return await loading;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}
