import type { Browser, Page } from "@playwright/test";
import { startTestProduct } from "../../support/backend-setup.ts";
import { seedSession, type Account } from "./accounts.ts";
import { running, runningProductVariable } from "./running-product.ts";
import { expect } from "./test.ts";

/** Starts a product of its own, so that other tests do not see what is planted; what it returns stops it. */
export async function startOwnProduct(): Promise<() => Promise<void>> {
  const own = await startTestProduct();
  const shared = process.env[runningProductVariable];
  process.env[runningProductVariable] = JSON.stringify({
    host: own.running,
    sandbox: own.sandbox,
  });
  return async () => {
    if (shared !== undefined) process.env[runningProductVariable] = shared;
    await own.stop();
  };
}

/** Notices what a payload could do, and what the content security policy would have kept it from. */
function layTraps(): void {
  const say = (text: string) => (window as unknown as { trap: (said: string) => void }).trap(text);
  for (const name of ["__ran", "ran"]) {
    Object.defineProperty(window, name, {
      set: () => {
        say(`wrote ${name}`);
      },
    });
  }
  for (const name of ["alert", "confirm", "prompt", "print"] as const) {
    Object.defineProperty(window, name, { value: () => say(`called ${name}`) });
  }
  document.addEventListener("securitypolicyviolation", (event) => {
    const { effectiveDirective, blockedURI, target } = event;
    // The test itself looks into the page by `eval`; what a payload evaluates runs into the traps above.
    if (blockedURI === "eval") return;
    // Of an element outside the document, as when the studio's editor reads the HTML in a text into a document that runs
    // nothing. If it did run there, it would run into the traps above.
    if (effectiveDirective === "script-src-attr" && target === document) return;
    say(`would have broken ${effectiveDirective} with ${blockedURI}`);
  });
}

/** What a text has become although it only waits: what runs when it is pressed, or is there without running. */
function findTraces(): string[] {
  const traces: string[] = [];
  const isOwn = (address: string) => new URL(address, document.baseURI).origin === location.origin;
  for (const script of document.querySelectorAll("script")) {
    if (!("src" in script) || script.src === "" || !isOwn(script.src)) traces.push("a script");
  }
  const nested = "iframe, frame, object, embed, base, form[action], meta[http-equiv], [srcdoc]";
  for (const { tagName } of document.querySelectorAll(nested)) traces.push(`a <${tagName}>`);
  for (const picture of document.querySelectorAll("img")) {
    const { src } = picture;
    if (src !== "" && !isOwn(src) && !/^(data:image\/|blob:)/.test(src)) {
      traces.push(`a picture from ${src}`);
    }
  }
  for (const element of document.querySelectorAll("*")) {
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on")) traces.push(`${name} of <${element.tagName}>`);
      if (!/^(href|xlink:href|src|action|formaction|data|poster)$/.test(name)) continue;
      // As browsers read an address: without control characters and spaces before the scheme.
      const scheme = /^[a-z][\w+.-]*:/i.exec(value.replaceAll(/[\p{Cc}\s]/gu, ""))?.[0];
      if (scheme === undefined || /^(https?|mailto|blob):$/i.test(scheme)) continue;
      if (/^data:image\//i.test(value) && element.tagName === "IMG") continue;
      traces.push(`${name} of <${element.tagName}> leads to ${value}`);
    }
  }
  return traces;
}

/** A page that is watched, and its own end. */
export interface TrappedPage {
  page: Page;
  /** What has run or would have, since it was asked before, and what of a payload is in the document now. */
  found: () => Promise<string[]>;
  close: () => Promise<void>;
}

/**
 * A page in which everything a payload could do is noticed. The content security policy only reports: a script that it would stop
 * runs and is noticed, and what it would stop without a script is noticed as well.
 */
export async function openTrapped(browser: Browser, account: Account): Promise<TrappedPage> {
  const { url } = running().host;
  const context = await browser.newContext({ baseURL: url, serviceWorkers: "block" });
  await seedSession(context, account);
  const errors: string[] = [];
  await context.exposeBinding("trap", (_source, said: string) => errors.push(said));
  await context.addInitScript(layTraps);
  const page = await context.newPage();
  await reportOnly(page);
  page.on("dialog", (dialog) => errors.push(`dialog ${dialog.message()}`));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => {
    const asked = request.url();
    if (!asked.startsWith(`${url}/`) && !/^(data|blob|about):/.test(asked)) {
      errors.push(`asked ${asked}`);
    }
  });
  return {
    page,
    // The document comes first, as what it says of itself is sent in between.
    found: async () => {
      const traces = await page.evaluate(findTraces);
      return [...errors.splice(0), ...traces];
    },
    close: () => context.close(),
  };
}

/** Gives the page every document with its content security policy as one that only reports. */
async function reportOnly(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const patterns = [{ resourceType: "Document", requestStage: "Response" } as const];
  session.on("Fetch.requestPaused", ({ requestId, responseHeaders = [], responseStatusCode }) => {
    const answer = async () => {
      // A redirection and a failure have no body.
      if (
        responseStatusCode === undefined ||
        (responseStatusCode >= 300 && responseStatusCode < 400)
      ) {
        await session.send("Fetch.continueRequest", { requestId });
        return;
      }
      const { body, base64Encoded } = await session.send("Fetch.getResponseBody", { requestId });
      await session.send("Fetch.fulfillRequest", {
        requestId,
        responseCode: responseStatusCode,
        responseHeaders: responseHeaders
          .filter(({ name }) => !/^content-(encoding|length)$/i.test(name))
          .map(({ name, value }) => ({
            name: name.replace(/^content-security-policy$/i, "content-security-policy-report-only"),
            value,
          })),
        body: base64Encoded ? body : Buffer.from(body).toString("base64"),
      });
    };
    // The page may be gone by now.
    answer().catch(() => {});
  });
  await session.send("Fetch.enable", { patterns });
}

/** Presses a button that brings more, until so many items are there. */
export async function pressUntil(
  page: Page,
  name: string,
  items: string,
  wanted: number,
): Promise<void> {
  const found = page.locator(items);
  await expect(found.first()).toBeVisible();
  for (let count = await found.count(); count < wanted; count = await found.count()) {
    await page.getByRole("button", { name }).click();
    await expect.poll(() => found.count()).toBeGreaterThan(count);
  }
}

/** Brings every row of a room or a conversation into the page once; answers with how many different ones were there. */
export async function readWholeLog(page: Page, wanted: number): Promise<number> {
  await expect(page.getByRole("log").locator("article").last()).toBeVisible();
  return await page.getByRole("log").evaluate(async (log, count) => {
    const seen = new Set<string>();
    const until = performance.now() + 60_000;
    while (seen.size < count && performance.now() < until) {
      for (const row of log.querySelectorAll<HTMLElement>("article")) {
        seen.add(row.dataset["message"] ?? "");
      }
      log.scrollTop -= log.clientHeight / 2;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
    return seen.size;
  }, wanted);
}
