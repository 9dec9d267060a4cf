/** A password found in fewer guesses than this is too weak, even with rate limits. */
const minGuessesLog10 = 9;
/** Characters examined, so that a long password takes no more than about 10 ms. */
const maxCharacters = 32;
const maxLeetSubstitutions = 8;
const maxEmailLength = 255;
/** Shorter local parts of an address occur in good passwords by chance. */
const minLocalPartLength = 5;

/** Estimates the guesses a password takes, as a power of ten; `ownWords` are words related to its owner. */
type Estimate = (password: string, ownWords: string[]) => number;

let loading: Promise<Estimate> | undefined;

/** Loads the estimator with its list of common and leaked passwords (30 MB), on first use. */
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

/**
 * True when a password is common, leaked, a keyboard walk, a repetition, or derived from its owner's address.
 * @param email in lower case.
 * @param siteWords words from the site's name, which its members' passwords often contain.
 */
export async function isGuessable(
  password: string,
  email: string,
  siteWords: readonly string[],
): Promise<boolean> {
  const lower = password.toLowerCase();
  // The address may not be validated yet.
  const [local = "", domain = ""] = email.length > maxEmailLength ? [] : email.split("@");
  if (email !== "" && lower.includes(email)) return true;
  if (local.length >= minLocalPartLength && lower.includes(local)) return true;
  loading ??= loadEstimate();
  const estimate = await loading;
  const ownWords = [...local.split(/[._+-]/), ...domain.split("."), ...siteWords]
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 2);
  return estimate(password.slice(0, maxCharacters), ownWords) < minGuessesLog10;
}
