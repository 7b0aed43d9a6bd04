mod effectiveness;
