alter table "private"."withdrawals"
  validate constraint "withdrawals_purchase_id_fkey";

alter table "private"."withdrawals"
  validate constraint "withdrawals_subject_check";
