"""What IAM would say: the template's own policies, evaluated for each request that a function makes on this machine."""
