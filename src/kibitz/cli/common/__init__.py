"""What commands share: arguments, options, output files, deadlines."""
