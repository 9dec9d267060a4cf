-- The subject of a digest may say how many things wait.
update private.email_texts set placeholders = '{things}' where template = 'digest';
