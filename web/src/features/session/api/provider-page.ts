import { chosenCourseIn, asksForCardForm, withChoiceIn } from "@/domain/chosen-plan.ts";
import { cardFormPath, courseCheckoutPath, paths } from "@/domain/paths.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import type { SignInProvider } from "@/lib/config.ts";

/** Where a visitor comes back to, with the plan, the course or the card form that the query of the address names. */
export function returnPath(search: string): string {
  if (asksForCardForm(search)) return cardFormPath;
  const course = chosenCourseIn(search);
  return course === null ? withChoiceIn(search, paths.signIn) : courseCheckoutPath(course);
}

/**
 * The address at which a provider asks who one is. What this browser needs to finish the sign-in is stored.
 * @param path of this site, where the browser comes back to
 */
export async function providerPage(
  client: BackendClient,
  provider: SignInProvider,
  path: string,
): Promise<string> {
  const { data, error } = await client.auth.signInWithOAuth({
    provider,
    options: { redirectTo: window.location.origin + path, skipBrowserRedirect: true },
  });
  if (error) throw error;
  return data.url;
}
