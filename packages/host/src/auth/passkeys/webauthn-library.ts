/** The library that makes and checks what WebAuthn says. Loaded with the first use: most projects have it off, and it is 250 files. */
export const webAuthnLibrary = async () => await import("@simplewebauthn/server");
