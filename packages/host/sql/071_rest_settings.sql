-- As on hosted projects, a migration may set every parameter that PostgREST reads from its login role, such as
-- `alter role authenticator set pgrst.db_aggregates_enabled = 'true'`. The host logs which of them have no effect.
-- Only a superuser may allow that.
do $$
declare
  setting text;
begin
  if current_setting('host.project_owner') = 'postgres' then
    foreach setting in array array[
      'client_error_verbosity', 'db_aggregates_enabled', 'db_anon_role', 'db_channel', 'db_channel_enabled', 'db_config',
      'db_extra_search_path', 'db_hoisted_tx_settings', 'db_max_rows', 'db_plan_enabled', 'db_pool', 'db_pre_config',
      'db_pre_request', 'db_prepared_statements', 'db_root_spec', 'db_schemas', 'db_timezone_enabled', 'db_tx_end',
      'jwt_aud', 'jwt_cache_max_entries', 'jwt_cache_max_lifetime', 'jwt_role_claim_key', 'jwt_secret',
      'jwt_secret_is_base64', 'log_level', 'log_query', 'openapi_mode', 'openapi_security_active',
      'openapi_server_proxy_uri', 'server_cors_allowed_origins', 'server_timing_enabled', 'server_trace_header',
      'url_use_legacy_target_names'
    ] loop
      execute format('grant set on parameter %I to postgres', 'pgrst.' || setting);
    end loop;
  end if;
end
$$;
