-- Aggregates that the statements of the REST API use. Every role may use them, because they read no data.
-- They are in schema extensions, which the database advisors skip: an aggregate cannot have a fixed search path.
grant usage on schema extensions to public;

-- A sum that starts 2^40 below the largest bigint, so that adding more than 2^40 raises 22003. The length of every row
-- of a response is added, scaled so that the largest allowed response adds up to 2^40.
create aggregate extensions.bounded_sum(int8) (
  sfunc = int8pl,
  stype = int8,
  initcond = '9223370937343148031',
  parallel = safe
);
