/** Pixels of a row or a group's title; the style sheet says the same. */
export const ROW_HEIGHT = 28;
