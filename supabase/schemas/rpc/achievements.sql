-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.my_certificate(certificate_id uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.my_certificate(certificate_id) $$;
comment on function public.my_certificate is 'What one of the caller''s certificates says; null for any other.';
grant execute on function private.my_certificate, public.my_certificate to authenticated;

create function public.verify_certificate(code text, visitor text) returns jsonb
  language sql volatile set search_path = '' as $$ select private.verify_certificate(code, visitor) $$;
comment on function public.verify_certificate is 'Server: what the certificate with this code says.';
grant execute on function private.verify_certificate, public.verify_certificate to service_role;

create function public.revoke_certificate(code text, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.revoke_certificate(code, reason) $$;
comment on function public.revoke_certificate is 'Administrators: revokes the certificate with this code.';
grant execute on function private.revoke_certificate, public.revoke_certificate to authenticated;

create function public.set_profile_choices(topics text[], is_listed boolean, shows_submissions boolean, shows_achievements boolean default NULL::boolean) returns void
  language sql volatile set search_path = '' as $$ select private.set_profile_choices(topics, is_listed, shows_submissions, shows_achievements) $$;
comment on function public.set_profile_choices is 'Sets what the caller may be asked about (up to eight topics), whether the directory lists them and what their profile shows.';
grant execute on function private.set_profile_choices, public.set_profile_choices to authenticated;

create function public.my_achievements() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_achievements() $$;
comment on function public.my_achievements is 'The caller''s achievements, the next of each measure, the streak of weeks, certificates, and what of it is shared.';
grant execute on function private.my_achievements, public.my_achievements to authenticated;

create function public.share_card(achievement text default NULL::text, certificate_id uuid default NULL::uuid) returns text
  language sql volatile set search_path = '' as $$ select private.share_card(achievement, certificate_id) $$;
comment on function public.share_card is 'Shares one achievement or certificate of the caller as a public card and returns the code of its address.';
grant execute on function private.share_card, public.share_card to authenticated;

create function public.stop_sharing(code text) returns void
  language sql volatile set search_path = '' as $$ select private.stop_sharing(code) $$;
comment on function public.stop_sharing is 'Takes back a card that the caller has shared.';
grant execute on function private.stop_sharing, public.stop_sharing to authenticated;

create function public.shared_card(code text, visitor text) returns jsonb
  language sql volatile set search_path = '' as $$ select private.shared_card(code, visitor) $$;
comment on function public.shared_card is 'Server: the words of the shared card with this code.';
grant execute on function private.shared_card, public.shared_card to service_role;
