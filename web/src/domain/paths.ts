export * from "../../../supabase/functions/_shared/product/paths.ts";
