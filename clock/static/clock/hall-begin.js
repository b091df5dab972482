// A browser opened as a big screen asks for its code by itself: nobody sits there to press a button.
document.querySelector("form[data-begin]").requestSubmit();
