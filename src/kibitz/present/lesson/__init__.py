"""Make a lesson from an Explanation."""
