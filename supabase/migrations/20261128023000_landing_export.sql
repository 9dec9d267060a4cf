create or replace function private.export_part_landing (
  member uuid
)
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'submission_consents', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.agreed_at, c.submission_id) from public.submission_consents c where c.user_id = member
    ), '[]'),
    'landing_texts', coalesce((
      select jsonb_agg(to_jsonb(t) order by t.version) from private.landing_texts t where t.host_id = member
    ), '[]')
  )
$function$;

comment on function "private"."export_part_landing"(uuid) is 'Submissions that one account lets visitors read, and texts of the landing page that introduce it.';
