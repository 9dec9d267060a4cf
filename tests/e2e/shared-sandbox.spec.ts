import { startTestProduct } from "../support/backend-setup.ts";
import { startSharedSandbox, type SharedSandbox } from "../support/shared-sandbox.ts";
import { fillSignUp, payFor } from "./support/member-journey.ts";
import { expect, test } from "./support/test.ts";

/** A product whose card provider is at an address of its own. */
let shared: SharedSandbox;
let product: Awaited<ReturnType<typeof startTestProduct>>;
test.beforeAll(async () => {
  shared = await startSharedSandbox();
  product = await startTestProduct({ ...shared.env, PORT: shared.port });
});
test.afterAll(async () => {
  await product.stop();
  await shared.sandbox.stop();
});

test("a visitor pays through a sandbox at another address, whose script and frames the page may load", async ({
  page,
}) => {
  await page.goto(`${product.running.url}/signup`);
  await fillSignUp(page);
  await expect(page).toHaveURL(/\/paywall$/);
  await payFor(page, "Student");
  await expect(page).toHaveURL(/\/onboarding$/);
});
