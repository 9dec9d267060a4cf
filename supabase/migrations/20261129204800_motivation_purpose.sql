-- Said more plainly, where no administrator has written another text.
update public.chat_rooms set description = 'For days when it''s hard to start, and for what got you going.'
where id = 'motivation' and description = 'For the days when it is hard to begin, and for what helped you to.';
