/** What Word for Windows puts on the clipboard, without most of the rules of its style sheet. */
export const wordClipboard = `<html xmlns:v="urn:schemas-microsoft-com:vml"
xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:w="urn:schemas-microsoft-com:office:word"
xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta http-equiv=Content-Type content="text/html; charset=utf-8">
<meta name=Generator content="Microsoft Word 15">
<link rel=File-List href="file:///C:/Users/ada/AppData/Local/Temp/msohtmlclip1/01/clip_filelist.xml">
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]-->
<style>
<!--
p.MsoNormal {mso-style-unhide:no; margin:0cm; font-family:"Calibri",sans-serif;}
@list l0:level1 {mso-level-number-format:bullet; mso-level-text:\\F0B7;}
-->
</style>
</head>
<body lang=EN-GB style='tab-interval:36.0pt;word-wrap:break-word'>
<!--StartFragment-->
<h1><a name="_Toc1"></a><b><span style='mso-fareast-font-family:"Times New Roman"'>Plan the week<o:p></o:p></span></b></h1>
<p class=MsoNormal><span style='font-size:12.0pt;mso-ansi-language:EN-GB'>Begin on <b
style='mso-bidi-font-weight:normal'>Sunday</b>, with <span style='font-style:italic'>one</span> page.<o:p></o:p></span></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<h2>What you need</h2>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>·<span
style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>A calendar<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;text-indent:-18.0pt;mso-list:l0 level2 lfo1'><![if !supportLists]><span
style='font-family:"Courier New"'><span style='mso-list:Ignore'>o<span
style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>on paper</p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol'><span style='mso-list:Ignore'>·<span
style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>An hour</p>
<h2>How it goes</h2>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><![if !supportLists]><span
style='mso-bidi-font-family:Calibri'><span style='mso-list:Ignore'>1.<span
style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>Look back</p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><![if !supportLists]><span
style='mso-bidi-font-family:Calibri'><span style='mso-list:Ignore'>2.<span
style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>Choose <a
href="https://example.com/three">three things</a></p>
<p class=MsoNormal><span style='mso-no-proof:yes'><!--[if gte vml 1]><v:shape id="Picture_1" o:spid="_x0000_i1025"><v:imagedata
 src="file:///C:/Users/ada/AppData/Local/Temp/msohtmlclip1/01/clip_image001.png"/></v:shape><![endif]--><![if !vml]><img width=602 height=301
src="file:///C:/Users/ada/AppData/Local/Temp/msohtmlclip1/01/clip_image002.jpg" v:shapes="Picture_1"><![endif]></span></p>
<table class=MsoTableGrid border=1 style='border-collapse:collapse;mso-yfti-tbllook:1184'>
 <tr style='mso-yfti-irow:0'><td width=301 valign=top style='width:225.4pt'><p class=MsoNormal>Day<o:p></o:p></p></td><td><p class=MsoNormal>Task</p></td></tr>
 <tr style='mso-yfti-irow:1'><td><p class=MsoNormal>Monday</p></td><td><p class=MsoNormal>Write<o:p></o:p></p></td></tr>
</table>
<!--EndFragment-->
</body>
</html>`;

/** What Google Docs puts on the clipboard in Chrome. */
export const docsClipboard = `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-4f1c-7fff"><h1 dir="ltr" style="line-height:1.38;margin-top:20pt;"><span style="font-size:20pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;font-weight:400;font-style:normal;font-variant:normal;text-decoration:none;vertical-align:baseline;white-space:pre-wrap;">Plan the week</span></h1><p dir="ltr" style="line-height:1.38;"><span style="font-size:11pt;font-weight:400;font-style:normal;white-space:pre-wrap;">Begin on </span><span style="font-size:11pt;font-weight:700;font-style:normal;white-space:pre-wrap;">Sunday</span><span style="font-size:11pt;font-weight:400;white-space:pre-wrap;">, with </span><span style="font-weight:400;font-style:italic;white-space:pre-wrap;">one</span><span style="font-weight:400;white-space:pre-wrap;"> page, </span><span style="font-weight:400;text-decoration:line-through;">not two</span><span>.</span></p><br /><h2 dir="ltr"><span style="font-weight:400;">What you need</span></h2><ul style="margin-top:0;margin-bottom:0;padding-inline-start:48px;"><li dir="ltr" style="list-style-type:disc;font-weight:400;" aria-level="1"><p dir="ltr" role="presentation"><span style="font-weight:400;">A calendar</span></p></li><ul style="margin-top:0;"><li dir="ltr" style="list-style-type:circle;" aria-level="2"><p dir="ltr" role="presentation"><span>on paper</span></p></li></ul><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>An hour</span></p></li></ul><p dir="ltr"><span>Read </span><a href="https://www.google.com/url?q=https://example.com/three?a%3D1&amp;sa=D&amp;source=editors" style="text-decoration:none;"><span style="color:#1155cc;text-decoration:underline;">three things</span></a><span> and </span><a href="#bookmark=id.1"><span>this</span></a><span>.</span></p><p dir="ltr"><span style="border:none;display:inline-block;overflow:hidden;width:602px;height:301px;"><img src="https://lh7-rt.googleusercontent.com/docsz/AD_4nX" width="602" height="301" style="margin-left:0px;" /></span></p><div dir="ltr" style="margin-left:0pt;" align="left"><table style="border:none;border-collapse:collapse;"><colgroup><col width="301" /><col width="301" /></colgroup><tbody><tr style="height:0pt"><td style="border-left:solid #000000 1pt;"><p dir="ltr"><span>Day</span></p></td><td><p dir="ltr"><span>Task</span></p></td></tr><tr><td><p dir="ltr"><span>Monday</span></p></td><td><p dir="ltr"><span>Write</span></p></td></tr></tbody></table></div></b><br class="Apple-interchange-newline">`;
