/** For days when it's hard to start; the format is that of `read-room.ts`. */
export const motivationRoom = `
21 11:10 Marcus: A room for the days when it's hard to begin. No slogans, please. Say what actually helped.
21 20:30 Tom: Sweeping the floor helped today. I did nothing else, but tomorrow starts on a clean floor.
21 20:50 Ingrid>Tom: I do this with commas. One page of commas and then I'm working.
20 20:45 Nadia: A pupil said "oh, is that all it is?" about moles. I've been living off that since lunch.
20 21:00 Helen>Nadia: Write it down with the date. You'll want it in the dull months.
19 21:15 Callum: Told my mum I'm leaving the firm. She asked who will do my pension. I had no answer, and I've been flat ever since.
19 21:30 Helen>Callum: You'll find one, it's a morning's work and not this week's. Tonight you're allowed to be a man who told his mum.
19 21:40 Callum>Helen: That helped more than it should have.
18 21:20 Mei: Said no to a project for the first time. Then I lay on the floor for a while. It was a nice floor.
18 21:30 Leila>Mei: The floor after the first no is always a nice floor.
17 07:40 Tom: Eight people walked past the workshop window and one waved. I counted the one.
16 20:10 Seun: The cousin who was my first barber has gone back to his notebook. It's only one, but it was the first one.
16 20:20 Tom>Seun: Did he say why?
16 20:30 Seun>Tom: He said the tool was fine, and he missed drawing on the notebook.
16 20:35 Ingrid>Seun: Then you've learned something about notebooks. I'm sorry, though. The first one stings.
15 08:30 Gareth: Wrote a bad page. A bad page can be improved, a blank one only stares.
15 19:30 Hannah: I nearly stopped this week. It was the coins on the doorstep, I think. Not the getting up, the counting in the dark.
15 19:45 Nadia>Hannah: You're changing exactly that bit. Give it two bakes before you decide anything.
14 12:20 Mei: A good hour: walked to the canal, told nobody, solved the thing.
13 20:50 Beatrice: I found a great-grandfather who was thought to have drowned. He'd opened a shoe shop in Ghent. I have been smiling at strangers.
13 21:00 Leila>Beatrice: Please tell me you got to make the phone call.
13 21:10 Beatrice>Leila: I did. There was a long silence, and then a great deal of noise.
12 21:40 Rafael: Thirty pupils and not one has practised. I played for myself for an hour afterwards. I'd forgotten that I like it.
12 21:55 Gareth>Rafael: Keep that hour. It's the tank the others drink from.
11 18:40 Callum: Tomorrow is my last day, and I can't sleep. Not afraid exactly. More like the night before a holiday with no ticket.
11 18:50 Tom>Callum: I slept badly for a month and then I slept like a plank. It comes back.
11 21:20 Arjun: Rain all day. I sharpened everything I own and then I felt like a gardener again.
10 20:30 Hannah: Second bake paid in advance. I slept until three again, and there were no coins. Nadia, you were right about the two bakes.
10 20:40 Nadia>Hannah: I'd like that in writing for my family.
9 21:10 Priya: First evening of looking for a room to rent. Everything's either a palace or a cupboard. I'm choosing to be amused.
9 21:20 Nadia>Priya: A good cupboard with a door that shuts is half of most clinics.
8 08:10 Priya: It's a cupboard. It has a window and a door that shuts. £12 an hour, and the man gave me a key on a shoelace.
8 08:25 Nadia>Priya: A key on a shoelace! You're open.
8 21:30 Seun: The cousin is back. He's glued his drawing to the counter and he uses the tool for everything else. I could have hugged the counter.
7 12:30 Kofi>Arjun: I clean lenses. It's the same thing, I think.
7 21:10 Tom: I said my prices aloud to the dog first. The dog is very fair.
6 21:15 Rafael: Writing to thirty families tomorrow. Tonight I'm pretending it's only a letter.
6 21:25 Beatrice>Rafael: I've said mine aloud to Canada now. You've been a good partner in cowardice, so do be brave.
5 21:30 Priya: Bad day. I told somebody my price and then apologised for it in the same breath. Has anyone stopped doing this?
5 21:40 Mei>Priya: I count to three after the number. The first time, I bit my tongue, really. It gets easier by the fourth.
5 21:45 Ingrid>Priya: I drink from a glass of water. It's very hard to apologise with water in your mouth.
4 07:30 Priya: Said it, drank water. She said "that's fine, what time?"
4 07:40 Ingrid>Priya: To water.
4 21:20 Kofi: I photographed a welder today. He saw the picture and went quiet, and then he said "my dad should see that". I'm keeping this one for bad days.
3 21:00 Zoe: I'm good at other people's courage. Turns out that mine is in a drawer somewhere.
3 21:10 Gareth>Zoe: Look under what you're good at. It usually hides behind that.
2 07:20 Arjun: Frost, flask, nobody about, and two gardens that are mine all year. I whistled.
2 20:45 Nadia: Wobbly evening. One of the four pupils dropped out. The other three asked whether they could bring a friend, so, on balance, a good wobble.
2 21:00 Tom>Nadia: One out and one in isn't a wobble, it's a class.
1 21:00 Piotr: Rain on my first doorstep evening. The customer brought an umbrella and held it over the bicycle, not over me. I laughed the whole way home.
1 21:10 Callum>Piotr: You're in business. That's exactly what it's like.
0 -150 Beatrice: To whom it may help: I was told at school that I'd no head for figures. I've sent eleven invoices this fortnight and every one was right.
0 -95 Rafael>Beatrice: Eleven! I'm framing this for my pupils, and for me.
`;
