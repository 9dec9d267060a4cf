import { TOTP } from "otpauth";
import { demoAuthenticatorKey } from "./demo/accounts.ts";

// `npm run demo-code`: what the authenticator app of the demo's administrator would show now. Each code works once.
process.stdout.write(`${new TOTP({ secret: demoAuthenticatorKey }).generate()}\n`);
