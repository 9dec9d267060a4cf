/** A password found in fewer guesses than this is too easy, even where guessing is slowed down. */
const fewestGuessesLog10 = 9;
/** Characters looked at: what follows cannot make a weak beginning cost more than about 10 ms to examine. */
const mostCharacters = 32;
const mostLeetSubstitutions = 8;
const longestEmail = 255;
/** Shorter local parts of an address turn up in honest passwords by chance. */
const shortestLocalPart = 5;

/** Estimates the guesses a password takes, as a power of ten; `own` are words close to its owner. */
type Estimate = (password: string, own: string[]) => number;

let loading: Promise<Estimate> | undefined;

/** The list of common and leaked passwords ships with the library; it is loaded when first asked for (30 MB). */
async function loadEstimate(): Promise<Estimate> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  const zxcvbn = new ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    l33tMaxSubstitutions: mostLeetSubstitutions,
    maxLength: mostCharacters,
  });
  return (password, own) => zxcvbn.check(password, own).guessesLog10;
}

/**
 * True when a password is common, leaked, a keyboard walk, a repetition, or made of its owner's address.
 * @param email in lower case.
 * @param siteWords names of the site, which its members' passwords contain more often than others'.
 */
export async function isGuessable(
  password: string,
  email: string,
  siteWords: readonly string[],
): Promise<boolean> {
  const lower = password.toLowerCase();
  // It may not have been checked yet: what is no address makes no words.
  const [local = "", domain = ""] = email.length > longestEmail ? [] : email.split("@");
  if (email !== "" && lower.includes(email)) return true;
  if (local.length >= shortestLocalPart && lower.includes(local)) return true;
  loading ??= loadEstimate();
  const estimate = await loading;
  const own = [...local.split(/[._+-]/), ...domain.split("."), ...siteWords]
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 2);
  return estimate(password.slice(0, mostCharacters), own) < fewestGuessesLog10;
}
