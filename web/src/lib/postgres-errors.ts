/** SQLSTATE of an insert that repeats a unique key. */
export const uniqueViolation = "23505";
