//! Whole shots on a table with noses and pockets: case 39.
