import * as z from "zod/mini";

const publicFields = {
  name: z.string(),
  course: z.string(),
  mentor: z.nullable(z.string()),
  completed_on: z.string(),
  is_revoked: z.boolean(),
};

/** What a certificate says to everyone who has its code. */
export const verifiedSchema = z.nullable(z.object(publicFields));

/** One's own certificate, with the code that verifies it. */
export const certificateSchema = z.nullable(
  z.object({ id: z.string(), code: z.string(), ...publicFields }),
);

export type VerifiedCertificate = NonNullable<z.infer<typeof verifiedSchema>>;
export type Certificate = NonNullable<z.infer<typeof certificateSchema>>;

/** The code as it stands on paper, in groups of five. */
export function groupedCode(code: string): string {
  return code.toUpperCase().replaceAll(/(.{5})(?=.)/g, "$1-");
}
