set local check_function_bodies = off;

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."buyer_details"
  to "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."provider_tax_rates"
  to "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."vat_document_numbers"
  to "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."vat_documents"
  to "postgres";

grant select ("id") on table "public"."vat_settings" to "anon";

grant select ("mode") on table "public"."vat_settings" to "anon";

grant select ("rate_basis_points") on table "public"."vat_settings" to "anon";

grant select ("since") on table "public"."vat_settings" to "anon";

grant select ("id") on table "public"."vat_settings" to "authenticated";

grant select ("mode") on table "public"."vat_settings" to "authenticated";

grant select ("rate_basis_points") on table "public"."vat_settings" to "authenticated";

grant select ("since") on table "public"."vat_settings" to "authenticated";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "public"."vat_settings"
  to "postgres";

grant delete, insert, select, update on table "public"."vat_settings" to "service_role";
