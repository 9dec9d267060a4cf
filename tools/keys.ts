import { Keys, newSecret } from "../host/src/keys.ts";

// `npm run keys`: a new secret and the two API keys that follow from it, as lines of a .env file.
const jwtSecret = newSecret();
const { api } = await Keys.create({ jwtSecret, now: Date.now });
process.stdout.write(
  `SUPABASE_JWT_SECRET=${jwtSecret}
SUPABASE_ANON_KEY=${api.anonKey}
SUPABASE_SERVICE_ROLE_KEY=${api.serviceRoleKey}
`,
);
