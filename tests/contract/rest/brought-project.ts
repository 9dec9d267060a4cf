/** Migration of a project that was made for PostgREST and hosted Supabase, with what such projects use now and then. */
export const broughtProject = `
  alter role authenticator set pgrst.db_aggregates_enabled = 'true';
  alter role authenticator set pgrst.db_plan_enabled = 'true';
  alter role authenticator set pgrst.db_tx_end = 'commit-allow-override';
  alter role authenticator set pgrst.server_timing_enabled = 'true';
  alter role authenticator set pgrst.db_schemas = 'public';

  create table public.factories (id int primary key, name text, opened timestamptz default '2026-01-01T00:00:00Z');
  create table public.processes (pid int primary key, title text, factory_id int references public.factories);
  create table public.costs (process int primary key references public.processes, cost numeric);
  create table public.parts (part int primary key, process int references public.processes);
  insert into public.factories values (1, 'Anvil'), (2, 'Bellows');
  insert into public.processes values (10, 'cast', 1), (11, 'grind', 1);
  insert into public.costs values (10, 4.5);
  insert into public.parts values (7, 10), (8, 10);
  grant select, insert, update on all tables in schema public to anon;

  create function public.words(public.factories) returns tsvector language sql immutable
    as $$ select to_tsvector('simple', $1.name) $$;
  create domain public.factory as public.factories;
  create function public.first_factory() returns public.factory language sql stable
    as $$ select f::public.factory from public.factories f order by id limit 1 $$;

  create function public.say(text) returns text language sql immutable as $$ select $1 $$;
  create function public.keep(jsonb) returns jsonb language sql immutable as $$ select $1 $$;
  create function public.count_up(int) returns int language sql immutable as $$ select $1 + 1 $$;
  create function public.maybe() returns text language sql immutable as $$ select 'none' $$;
  create function public.maybe(text default 'x') returns text language sql immutable as $$ select $1 $$;
  create function public.alone(text default 'x') returns text language sql immutable as $$ select $1 $$;
  create function public.choose(value text) returns text language sql immutable as $$ select value $$;
  create function public.choose(value int) returns int language sql immutable as $$ select value $$;
  create function public.choose(value int, more int default 1) returns int language sql immutable as $$ select value $$;
  create function public.two_cookies() returns text language plpgsql as $$
  begin
    perform set_config('response.headers', '[{"Set-Cookie": "a=1"}, {"set-cookie": "b=2"}, {"X-One": "1"}]', true);
    return 'ok';
  end
  $$;
`;
