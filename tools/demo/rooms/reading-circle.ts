/** The reading circle, open from level 2; the format is that of `read-room.ts`. */
export const readingCircleRoom = `
15 20:30 Ingrid: Is anyone else here yet? I've read "Saying No and Keeping the Door Open", and I'd like to disagree with half of it in company.
15 20:45 Nadia>Ingrid: I'm here, and I've read it twice. Which half?
15 20:55 Ingrid>Nadia: The half where you explain. In Norwegian a no is finished at the full stop. In English it seems to need a garden path.
15 21:05 Tom>Ingrid: I'm for the full stop. Every reason I've ever given has been argued with.
15 21:15 Nadia: I read the part about offering the other thing instead, and used it on my head of department the same day. It worked, and I felt like a spy.
14 20:10 Callum: Does it count if I listened to my wife read it aloud?
14 20:20 Ingrid>Callum: It counts double. Did she agree with it?
14 20:25 Callum>Ingrid: She asked when I was planning to start.
13 20:20 Gareth: Next one, if you like: "Let Them Finish". Ninety-two seconds is longer than you think. Try it before you comment.
13 20:35 Leila>Gareth: Tried it with a client. At about sixty seconds she told me the real reason she'd rung.
12 20:05 Mei: Mine was at eighty. I had already designed the answer to the wrong problem in my head.
12 20:20 Nadia>Mei: I do this to pupils all day. I counted today and never got past nine.
11 20:45 Tom: I asked a customer what she'd do with the table, and then I shut up. It's not for eating. It's for her mother's sewing machine. Different height altogether.
11 20:55 Gareth>Tom: Ninety-two seconds, and a table that fits. That's the whole essay.
9 20:50 Seun: New in here. I began with "Nine in Ninety-Eight". I test software for a living, and I've been ignoring base rates in my own project for months.
9 21:00 Ingrid>Seun: Welcome to level two. What's your base rate?
9 21:10 Seun>Ingrid: Of the tools like mine I could find, about one in eight is still alive after three years. I wrote it at the top of the plan. It's oddly calming.
7 20:10 Hannah: Hello from level two, floury as ever. I read "Sixty-Six Days Is an Average, Not a Deadline", and I'd like my money back on every habit I gave up in week five.
7 20:20 Nadia>Hannah: Week five is where mine go to die as well. Which one would you have back?
7 20:30 Hannah>Nadia: Stretching my back after the bake. I've started again, and I'm not counting.
6 20:20 Beatrice: A librarian in a reading circle, and it's taken me a week to be let in. I recommend "Reading a Book So That Something Is Left". I disagreed with the title and then I agreed with the rest.
6 20:30 Gareth>Beatrice: What was wrong with the title?
6 20:40 Beatrice>Gareth: Something is always left. The question is whether it's what the author put there.
5 20:05 Ingrid>Beatrice: I'm translating that sentence for my own wall, if you'll allow it.
3 20:30 Rafael: Let in today! I came through "Practice That Changes Something", naturally. I've been giving my pupils minutes to practise, and it should have been one bar.
3 20:40 Gareth>Rafael: One bar, played right, three times. I'd use that for speeches.
2 20:20 Beatrice: Shall we take "The Anatomy of an Apology" together next? Two of us owe one, and I'm not naming names.
2 20:30 Hannah>Beatrice: I'll read it tonight while the dough rests. I believe it's me and the neighbours.
1 20:15 Seun>Beatrice: I'm in. I owe one to a barber named Winston, for the week when the clock was an hour out.
0 -130 Beatrice: First thought on the apology essay: the bit people leave out is what they'll do differently. It's the only bit Winston needs.
0 -100 Seun>Beatrice: He got it, and a free month. He says the clock was the least of his problems that week.
`;
