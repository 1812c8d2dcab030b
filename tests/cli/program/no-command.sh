regild
# exit: 2
