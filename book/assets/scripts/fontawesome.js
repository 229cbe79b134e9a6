/* Takes the place of the theme's icon script (0.5 MB): the icons come from its web font all the same. */
