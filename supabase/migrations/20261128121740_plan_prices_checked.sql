alter table "private"."plan_prices"
  validate constraint "plan_prices_amount_pence_check";

alter table "private"."plan_prices"
  validate constraint "plan_prices_currency_check";

alter table "private"."plan_prices"
  validate constraint "plan_prices_interval_check";

alter table "private"."plan_prices"
  validate constraint "plan_prices_on_sale_check";

alter table "public"."plans"
  validate constraint "plans_yearly_amount_pence_check";

alter table "public"."plans"
  validate constraint "plans_yearly_check";
