create table "private"."host_reports" (
  "host"        text                     not null,
  "checks"      jsonb                    not null,
  "reported_at" timestamp with time zone not null default now(),
  constraint "host_reports_pkey" primary key (host)
);

alter table "private"."host_reports"
  enable row level security;

create or replace function private.admin_overview()
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  figures jsonb;
begin
  perform private.require_admin();
  figures := private.member_figures();
  if not private.caller_has_second_factor() then
    figures := figures || '{"monthly_revenue_pence": null}';
  end if;
  return figures || jsonb_build_object(
    'queues', private.queue_counts(), 'failures', private.failure_figures(), 'hosts', private.host_lights()
  );
end
$function$;

create or replace function private.host_lights()
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'host', r.host, 'checks', r.checks, 'reported_at', r.reported_at, 'is_silent', r.reported_at < now() - interval '5 minutes'
  ) order by r.host), '[]')
  from private.host_reports r where r.reported_at > now() - interval '1 day'
$function$;

comment on column "private"."host_reports"."checks" is 'By the name of the part, such as disk: its state (ok, warning, failing) and a detail for operators.';

comment on function "private"."host_lights"() is 'What the hosts of the last day told of themselves; a silent one has not for five minutes.';

comment on function "public"."admin_overview"() is 'Administrators: figures about the community, its queues, its failures and its hosts; revenue in pence a month at today''s prices, null without a second factor.';

comment on table "private"."host_reports" is 'The state of the parts of each running host, as it last told; removed when it stops, and after a day.';

revoke all on function "private"."host_lights"() from public;

grant execute on function "private"."host_lights"() to "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."host_reports"
  to "postgres";
