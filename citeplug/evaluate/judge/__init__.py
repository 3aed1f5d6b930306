"""Judges: language models that give values to what a system wrote.

    gold and run -> questions in both orders -> replies -> verdicts -> scores, and the judge's agreement with itself

Each question is asked in two orders of what it shows, and both count alike, since judges prefer places (Citegeist,
section 4). With `as_published` a question has the one order of the publication. The published wordings are not
repeated here: what is shown, what is to be considered, the scale and the order are as published, the words ours.
"""
