/** The front room of the demo; the format is that of `read-room.ts`. */
export const generalRoom = `
21 09:00 Marcus: Welcome to General, the front room. Say who you are, what you are working on, and one thing you would like to be asked about.
21 09:40 Helen: I'll begin. Helen, accountant, twenty years of other people's books. Ask me about tax returns, and about the month when the money hasn't arrived yet.
21 18:50 Tom: Tom, I make furniture in a rented workshop outside Sheffield. I left a salaried job last spring and I still check the old calendar on Sunday nights.
21 19:05 Helen>Tom: Welcome, Tom. What do you make most of, and what do you make most from? They are rarely the same thing.
21 19:20 Tom>Helen: Most of: chopping boards. Most from: tables, I think. I have never sat down and worked it out.
21 19:30 Ingrid: Ingrid, translator, Norwegian and English, in Edinburgh since university. I live off three agencies and would like to live off people who know my name.
21 20:30 Nadia: Hello all. Nadia, I teach chemistry in Leicester and tutor in the evenings. I want fewer hours for the same money, without dropping the pupils who need me.
21 20:45 Tom>Nadia: Could you teach them together? I'd have learned more chemistry with two others who were equally lost.
21 21:00 Nadia>Tom: That is exactly the thing I keep not trying. Thank you for saying it on day one.
20 10:15 Gareth: Morning. Gareth, Cardiff, I coach people who have to speak and write for a living. Send me the email you have been avoiding and I'll tell you what it is really asking.
20 12:50 Leila: Leila here. I help small firms get found by the people who already need them. My rule: one page, in the customer's own words.
20 13:20 Ingrid>Leila: Whose words are they when the customer doesn't know what good looks like? Mine can't read Norwegian, that is the point.
20 13:35 Leila>Ingrid: Then they have words for the fear. "I sent it and nobody in Oslo answered" is a customer's sentence. Yours should answer it.
20 18:05 Callum: Callum, sparky from Glasgow. Eleven years with the same firm, going on my own in ten days. I can wire a house but I can't write a quote to save myself.
20 18:20 Gareth>Callum: You have just written two good sentences. A quote is four of those and a number.
20 18:25 Helen>Callum: And put the deposit in the first line of the terms, not the last. Congratulations on the leap.
20 20:10 Nadia>Callum: My brother did the same in Leicester. He says the first quiet week is the worst and nobody warns you. So, I'm warning you.
*19 08:40 Marcus: Five rooms are open to everyone here: this one, Accountability, Motivation, Productivity and Success. The others open as you go up. Nobody minds if you only read for a while.
19 11:40 Mei: Hi, I'm Mei. Freelance designer in Manchester, mostly apps. My calendar is full and my bank account doesn't believe me.
19 11:55 Helen>Mei: That sentence usually means one of three things: invoices late, prices low, or work nobody agreed to. Which is yours?
19 12:10 Mei>Helen: All three? Mostly the last. "Just one more screen" has cost me a month this year.
19 12:20 Tom>Mei: "Just one more drawer" here. I started writing the extra drawer on the quote with its own price. Half of them vanish.
19 12:30 Mei>Tom: Oh, I like that. Name it, price it, and let them decide.
19 19:15 Leila: Question for everyone: how did your last three customers find you? Not how you think customers find you. The last three.
19 19:30 Tom>Leila: A neighbour, a neighbour's sister, and a man who saw a table in a café and asked the owner.
19 19:40 Ingrid>Leila: Agency, agency, agency.
19 19:50 Nadia>Leila: Parents at the school gate, all three. I have never advertised anything in my life.
19 20:05 Callum>Leila: My boss found them. That's the bit that keeps me up.
19 20:20 Leila>Callum: You've wired houses for eleven years. Somebody let you in and made you tea. Write down twenty names before you buy a single advert.
18 07:50 Callum>Leila: Twenty-six names. I had to stop because the kettle boiled.
18 08:05 Tom>Callum: Now ring six of them before you talk yourself out of it.
18 12:30 Gareth: Small offer: post one paragraph that describes your work, and I'll return it with a third of the words gone. First four today.
18 12:50 Ingrid>Gareth: "I provide high-quality linguistic services across a range of sectors with a focus on accuracy and timely delivery."
18 13:05 Gareth>Ingrid: "I translate between Norwegian and English so that your reader doesn't notice." Everything else you said is true of every translator who still has work.
18 13:10 Ingrid>Gareth: I feel found out, and rather pleased.
18 13:30 Mei>Gareth: "I design intuitive digital experiences for forward-thinking teams." I know. I know.
18 13:45 Gareth>Mei: What did the last team do differently on the Monday after you left?
18 14:00 Mei>Gareth: They took eleven questions off their sign-up form, and twice as many people finished it.
18 14:05 Gareth>Mei: There it is. "I take the questions out of sign-up forms until people finish them." You may keep the rest of your day.
17 20:50 Seun: Evening all, Seun, I test software for a bank and I'm building a booking tool for barbers. Three barbers so far, and two of them are cousins.
17 21:05 Mei>Seun: Welcome! What do the barbers use now?
17 21:15 Seun>Mei: A notebook, and a phone that rings in the middle of a fade. One of them has a second notebook for people who didn't turn up.
17 21:20 Leila>Seun: The second notebook is your product. Guard it.
16 09:10 Helen: For those with a first tax return ahead: you don't need software yet. You need every bank line since you began, in one sheet, with a word beside each.
16 09:30 Callum>Helen: One word each, like "van" and "cable"?
16 09:40 Helen>Callum: Exactly like "van" and "cable". You can be clever about categories in your second year.
16 15:40 Hannah: Hello from Norwich! Hannah. I bake bread for forty households twice a week out of a domestic oven, and it has begun to feel like a second job because it is one.
16 15:55 Nadia>Hannah: Forty! What time do you get up?
16 16:05 Hannah>Nadia: Two. My neighbours think I'm up to something.
16 16:20 Tom>Hannah: Do they pay before or after? When I moved to half in advance I stopped making things for people who had changed their minds.
16 16:30 Hannah>Tom: After, on the doorstep, in coins. I can see your face from here.
15 18:10 Ingrid: First direct enquiry, through a former agency colleague who moved to a fish-farming supplier in Bergen. I have re-read it five times looking for the trick.
15 18:25 Gareth>Ingrid: No trick. Answer it in six lines while you're still surprised.
15 18:40 Leila>Ingrid: And ask how they came to write to you. You'll want that sentence later.
14 10:45 Beatrice: Good morning. Beatrice, retired librarian, Winchester. I find people's great-grandparents for them, and I've been told, rather firmly, to start charging properly.
14 11:00 Helen>Beatrice: By whom? I'd like to shake their hand.
14 11:10 Beatrice>Helen: My daughter, who does my accounts on the back of a calendar.
14 11:30 Marcus: Welcome, Beatrice and Hannah. A week ago there were eight of us in here, arguing with a kettle.
14 11:45 Tom>Beatrice: What does a search cost you in hours, roughly? I never knew mine until I put a clock on the bench.
14 12:00 Beatrice>Tom: Between six and twenty. The twenties are the ones I enjoy, and nobody has ever paid for those.
13 17:10 Rafael: Olá! Rafael, I teach guitar in Bristol, thirty pupils a week. Every week three of them cancel an hour before, and I smile and say no problem.
13 17:25 Mei>Rafael: It sounds like a problem.
13 17:30 Rafael>Mei: It's my rent. I smile anyway, I was brought up politely.
13 17:50 Seun>Rafael: My barbers call them ghosts. One takes a small deposit now and the ghosts have learned to reply.
13 18:10 Gareth>Rafael: A cancellation rule isn't rude if it arrives before the first lesson. Shall we write it in Skills Workshop when your level opens it? Until then, start with "so that I can keep your hour for you".
12 07:20 Arjun: Morning, Arjun, gardener in Ealing. Up early because the birds are. I do one big garden at a time and then there's a hole in the month.
12 07:35 Hannah>Arjun: Another early one. I've been awake since two, so good afternoon.
12 07:45 Helen>Arjun: Would any of the big gardens pay a little every month to be kept that way?
12 12:30 Arjun>Helen: Two of them asked me last year. I said I'd think about it. Writing that down hurts.
12 12:45 Tom>Arjun: Ring them tonight. They asked you. It's the easiest call in the world.
11 19:50 Priya: Hello! Priya, physiotherapist in Leeds. I want to run a clinic for injured runners at weekends and I have no idea what to charge.
11 20:00 Tom>Priya: Welcome, Priya. I asked the same about tables when I started. I was too cheap by half, and nobody thanked me for it.
11 20:10 Helen>Priya: Before a price, write down two numbers: what an hour has to earn after tax and room hire, and how many hours a Saturday really has. Post them here and we'll go through them together.
11 20:20 Nadia>Priya: Welcome! Half my staff room runs and the other half complains about its knees. You'll not be short of people.
11 20:40 Arjun>Priya: My knees would like to book already, and I live two hundred miles away.
10 08:15 Priya>Helen: Done. £48 an hour, five hours on a Saturday, and I'm told a room costs about £60.
10 08:17 Priya: Written down it looks less frightening than it did in my head.
10 08:40 Helen>Priya: Good. So five paying hours bring £240, and £60 of it is gone before you begin. Now: which of the five is empty in a bad week?
10 12:20 Priya>Helen: The last one. People say they'll come at one and then it's lunch.
10 12:35 Helen>Priya: Then your Saturday has four hours, not five. Price those, and let the fifth be a nice surprise.
10 18:30 Callum: Last day at the firm. They gave me a cake and a drill. I'm told the drill is the valuable one.
10 18:40 Nadia>Callum: Keep the cake photo for the quiet week.
10 18:55 Helen>Callum: Well done. Open the second bank account tomorrow morning, before you're busy.
9 09:30 Seun: I spent an hour in a barber's chair yesterday with a clipboard. He took four calls, lost one customer who wouldn't wait, and never once looked at his notebook.
9 09:45 Leila>Seun: What did he say when the customer left?
9 10:00 Seun>Leila: "That's forty quid walking down the street." I wrote it down exactly.
9 10:05 Leila>Seun: Put that on the front page. Don't improve it.
8 13:30 Kofi: Hi everyone, Kofi, photographer in Birmingham. Mostly weddings so far. I'd like to photograph people at work instead, because they don't ask to look thinner.
8 13:45 Callum>Kofi: I need a picture of me that isn't from my cousin's wedding. What would that cost?
8 14:00 Kofi>Callum: Honestly? I've never priced it. That's why I joined.
8 14:15 Helen>Kofi: Then Callum is your first conversation, not your first invoice. Ask what a good picture would be worth to him.
8 14:30 Callum>Kofi: It'd be worth one customer who trusts me before I ring the bell. That's about three hundred quid.
8 14:40 Kofi>Callum: I'm in Glasgow for a christening at the weekend. Coffee, and an hour with the van?
7 10:10 Hannah: Leila read my page last night and asked where it says how to buy bread. It doesn't. It has never said that.
7 10:20 Tom>Hannah: Mine said "contact me for details" for a year. The details were the price.
7 10:30 Hannah>Tom: I've put the price, the day and a button. It took eleven minutes, after two years.
6 08:20 Kofi: The van hour with Callum is done. I took two hundred pictures, and the one he'll use is him laughing at a dog.
6 08:30 Callum>Kofi: It's a good dog. And the picture is already on the quote.
6 08:45 Gareth>Callum: Send me the quote with the picture on it. I'd like to see how little text it needs now.
6 18:20 Beatrice: A gentleman in Canada has paid in advance for ten hours. I wrote the sentence Helen gave me and he simply said yes.
6 18:30 Helen>Beatrice: They often do. What was the sentence in the end?
6 18:40 Beatrice>Helen: "Ten hours of searching cost £350, paid before I start, and you'll have a report whether I find him or not." I read it aloud to the cat first.
6 20:40 Priya: Six free assessments at the canal club's evening run, everyone delighted, and not one booking. What did I miss?
6 20:50 Leila>Priya: What did you tell them happens next?
6 21:00 Priya>Leila: I said it was lovely to meet them.
6 21:05 Leila>Priya: It was lovely, and there was nothing to say yes to. Next time four places, a small price, and the follow-up on the same page.
6 21:15 Tom>Priya: If it helps, my first open workshop day had thirty visitors and sold one spoon.
5 12:40 Rafael: The new rule went to all thirty families. Two grumbled, one apologised for the last three years, and twenty-seven said nothing at all.
5 12:50 Gareth>Rafael: Silence is what a clear rule sounds like.
5 13:00 Nadia>Rafael: Did the two grumblers stay?
5 13:10 Rafael>Nadia: Both of them. One booked a second lesson.
4 19:00 Zoe: Hello, I'm Zoe, HR adviser in Newcastle, four days a week for one big employer. On the fifth day I'd like to help firms that are too small to have an HR person.
4 19:10 Callum>Zoe: I'll need you the day I hire anyone, which is the day I stop sleeping.
4 19:20 Helen>Zoe: Welcome, Zoe. Small firms buy relief, not policies. What do they ring you about at eight in the evening?
4 19:35 Zoe>Helen: Somebody hasn't turned up for a week, and they're afraid to write the wrong thing.
4 19:40 Helen>Zoe: Then that's what you sell. The rest is paperwork.
3 09:20 Arjun: The second big garden has said yes to a monthly round, £140 like the first. I rang from the van so nobody would hear my voice shake.
3 09:30 Tom>Arjun: Told you. Easiest call in the world.
3 09:40 Priya>Arjun: This makes me want to ring someone. Well done, Arjun.
3 20:10 Mei: A client asked for one more screen today. I sent the price for one more screen. They said "fair enough" and took it off the list.
3 20:20 Tom>Mei: The drawer method.
3 20:30 Seun>Mei: I'm borrowing this for feature requests.
2 08:30 Marcus: Nearly three weeks in, and seventeen names on the list. If you've been reading quietly: today is a good day for one sentence.
2 12:15 Zoe>Marcus: One sentence, then: I asked for a day's unpaid leave a month, and they said yes before I had finished.
2 12:30 Gareth>Zoe: That's a very good sentence.
2 19:30 Ingrid: Bergen has asked for a price for the whole year. I've written three options on one page and I'm going for a walk before I send it.
2 19:45 Helen>Ingrid: Walk first, yes. Then read the middle option aloud. If your voice drops at the price, it's the right one.
2 21:10 Ingrid>Helen: Sent. My voice dropped.
1 08:50 Priya: The clinic page is live. The first line says what people will know afterwards, as Helen said. Four places on Saturday, £15 each.
1 09:05 Leila>Priya: That first line is very good. I'd move the address up, people decide by distance.
1 16:45 Piotr: Hello, Piotr, bicycle mechanic from Hull. I repair in a shop by day and I'd like to repair on doorsteps by evening. I've read three weeks of you all in one afternoon.
1 16:55 Marcus>Piotr: Welcome, Piotr. That's the best way to arrive.
1 17:10 Callum>Piotr: Doorsteps are good. Ask what the customer does when it breaks, that's where your price lives.
1 17:25 Nadia>Piotr: Pupils and bicycles live in the same houses. I'd like to know how you fill your first evening.
1 20:40 Piotr>Callum: They walk to work and are cross until the weekend. I'll start there.
0 -190 Kofi: I wrote to the six tradespeople whose vans I've photographed, and asked what the picture did for them. Four answers already, and I'm not allowed to blush in public.
0 -170 Leila>Kofi: Don't blush, quote. With their permission, word for word.
0 -64 Helen>Priya: Before Saturday: decide now what you say to the fifth person who asks. "The next clinic has four places too" is an honest answer.
0 -41 Tom: @Priya Raman the calculator you asked about is only a sheet: hours, what they have to earn, and holidays. I've put the three lines I use in Productivity.
0 -22 Nadia>Kofi: Could you photograph a chemistry lesson that happens entirely on a kitchen table? Asking for a website.
`;
