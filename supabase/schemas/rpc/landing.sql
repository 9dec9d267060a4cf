-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.landing_settings() returns jsonb
  language sql stable set search_path = '' as $$ select private.landing_settings() $$;
comment on function public.landing_settings is 'Administrators: what the landing page says and shows, and who can be its host.';
grant execute on function private.landing_settings, public.landing_settings to authenticated;

create function public.publish_landing_text(headline text, lead text, host uuid, host_about text) returns integer
  language sql volatile set search_path = '' as $$ select private.publish_landing_text(headline, lead, host, host_about) $$;
comment on function public.publish_landing_text is 'Administrators: publish other words for the landing page. An empty one is as the product comes.';
grant execute on function private.publish_landing_text, public.publish_landing_text to authenticated;
