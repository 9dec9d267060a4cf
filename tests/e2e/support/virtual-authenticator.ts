import type { Page } from "@playwright/test";

/** A device that makes passkeys and security keys for the page's browser. */
export interface VirtualAuthenticator {
  /** Forgets every key; what it returns brings them back. */
  forget: () => Promise<() => Promise<void>>;
}

/** Gives the browser a device that makes passkeys and security keys, and always recognises its owner. */
export async function withDevice(page: Page): Promise<VirtualAuthenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    forget: async () => {
      const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId });
      await session.send("WebAuthn.clearCredentials", { authenticatorId });
      return async () => {
        for (const credential of credentials) {
          await session.send("WebAuthn.addCredential", { authenticatorId, credential });
        }
      };
    },
  };
}
