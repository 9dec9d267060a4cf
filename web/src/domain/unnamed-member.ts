/** What a name says while it is not known, or was never given. */
export const unnamedMember = "A member";
